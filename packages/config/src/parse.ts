import { resolve } from 'node:path'

// Each parser converts the text of an environment variable, or throws a message that continues "NAME …".

export const text = (value: string): string => value

export const path = (value: string): string => resolve(value)

const MIN_SECRET_LENGTH = 32

export function secret(value: string): string {
  if (value.length < MIN_SECRET_LENGTH) throw new Error(`must have at least ${MIN_SECRET_LENGTH} characters`)
  return value
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
}

export const port = integer(0, 65_535)

export function urlLike(example: string) {
  return (value: string): string => {
    if (!URL.canParse(value)) throw new Error(`must be a URL such as ${example}`)
    return value.replace(/\/$/, '')
  }
}

export const url = urlLike('http://127.0.0.1:3000')

export function smtpUrl(value: string): string {
  if (!/^smtps?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('must be like smtps://user:password@host:465')
  return value
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((c) => c === value)
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return choice
  }
}

export function optional<Value>(parse: (value: string) => Value) {
  return (value: string): Value | undefined => (value === '' ? undefined : parse(value))
}

type WebApp = 'console' | 'portal' | 'platform'
export type WebHosts = Partial<Record<WebApp, string>>

const isWebApp = (name: string): name is WebApp => /^(console|portal|platform)$/.test(name)

export function webHosts(value: string): WebHosts {
  const hosts: WebHosts = {}
  for (const [app = '', host = ''] of list((part) => part.split('='))(value)) {
    if (!isWebApp(app) || !/^[a-z0-9.-]+(:\d+)?$/.test(host))
      throw new Error('must be a list such as console=app.example,portal=my.example')
    hosts[app] = host
  }
  return hosts
}

export function list<Value>(parse: (value: string) => Value) {
  return (value: string): Value[] =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parse)
}
