export { decrypt, encrypt, newDataKey, SecretError } from './aes.ts'
export { createSecretBox, type Place, type SecretBox } from './box.ts'
export { type Keyring, parseKeyring } from './keyring.ts'
