import { type Setting, settings } from '@tendon/config'
import { code, HEAD, table } from './markdown.ts'

export function settingsTable(): string {
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => [
    code(name),
    defaultOf(setting),
    setting.about,
    setting.secret || setting.production ? 'required' : '',
  ])
  return `${HEAD}# Settings

Environment variables, read once at the start. A default secret serves local use only: with \`NODE_ENV=production\` a server
without secrets of its own refuses to start, and so it does without what is marked as required.

${table(['Name', 'Default', 'Meaning', 'In production'], rows)}`
}

function defaultOf(setting: Setting): string {
  if (setting.secret) return '(a secret for local use)'
  return setting.default === '' ? '' : code(setting.default)
}

/** Every setting, commented out with its default. */
export function envExample(): string {
  const lines = Object.entries<Setting>(settings).flatMap(([name, setting]) => {
    const required = setting.secret || setting.production ? ' Required in production.' : ''
    return [`# ${setting.about}.${required}`, `#${name}=${setting.secret ? '' : setting.default}`, '']
  })
  return [
    '# Written by "npm run generate" from packages/config. Copy it to .env and set what differs: the npm scripts that run',
    '# services read .env; in production set the environment itself.',
    '',
    ...lines,
  ].join('\n')
}
