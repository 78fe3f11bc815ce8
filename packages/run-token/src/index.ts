export { type MintedToken, mintRunToken, parseRunTokenKeys, type RunTokenKeys } from './mint.ts'
export { RUN_TOKEN_LIFETIME_SECONDS, type Run } from './token.ts'
export { type VerifiedRun, verifyRunToken } from './verify.ts'
