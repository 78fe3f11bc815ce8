import { ConfigError } from '@tendon/config'

/** An expected reason not to start, shown as one sentence. */
export class Refusal extends Error {}

/** The terminal output: the sentence of a refusal, or the whole stack of an unexpected error. */
export function complaintOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export const productionRefused = () =>
  new Refusal(
    'The stand-in identity provider signs in anyone without a password, so it does not run with NODE_ENV=production; set AUTH_ISSUER to a real OpenID provider instead.',
  )

export class PortInUse extends Refusal {}

export const portInUse = (host: string, port: number) =>
  new PortInUse(
    `Port ${port} on ${host} is already in use; stop the other process or set IDENTITY_PORT to a free port.`,
  )

export const badKeyFile = (path: string) =>
  new Refusal(`The key file ${path} holds no RSA signing key; delete it and a new one is made at the next start.`)

export const badEmail = (email: string) =>
  new Refusal(`${JSON.stringify(email)} is not an e-mail address; write one such as ana.ionescu@mladita.example.`)
