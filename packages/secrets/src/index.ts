export { decrypt, encrypt, newDataKey, SecretError } from './aes.ts'
export { blindIndex } from './blind-index.ts'
export { createSecretBox, type Place, type SecretBox } from './box.ts'
export { type Keyring, parseKeyring } from './keyring.ts'
