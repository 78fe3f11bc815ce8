import { relative } from 'node:path'
import type { Config } from '@tendon/config'
import { demoAccounts } from '../../apps/identity/src/demo-accounts.ts'

const METRICS = [
  ['Core metrics', 'CORE_METRICS_PORT'],
  ['Worker metrics', 'WORKER_METRICS_PORT'],
  ['Telemetry metrics', 'TELEMETRY_METRICS_PORT'],
  ['Composer metrics', 'COMPOSER_METRICS_PORT'],
  ['Render worker metrics', 'COMPOSER_WORKER_METRICS_PORT'],
] as const

/** `config` has the real ports, `wanted` those of the settings. */
export function printTable(config: Config, wanted: Config): void {
  const local = config.AUTH_ISSUER === undefined
  const data = `${relative(process.cwd(), config.DATA_DIR) || '.'}/`
  const rows: [string, string][] = [
    ['Console (clinic)', `${config.publicUrl}/console/`],
    ['Portal (patients)', `${config.publicUrl}/portal/`],
    ['Platform (operator)', `${config.publicUrl}/platform/`],
    ['Core API', config.publicUrl],
    ['API reference', `${config.publicUrl}/docs`],
    ...(config.NODE_ENV === 'development' ? [['Mails sent', `${config.publicUrl}/dev/mails`] as [string, string]] : []),
    ...(local
      ? [['Webhooks received', `http://${config.HOST}:${config.WEBHOOK_RECEIVER_PORT}/`] as [string, string]]
      : []),
    ['Health', `${config.publicUrl}/health`],
    ['Telemetry', `http://${config.HOST}:${config.TELEMETRY_PORT}`],
    ['Composer', config.composerUrl],
    ['Identity provider', config.issuer],
    ...METRICS.map(([name, setting]) => [name, `http://${config.HOST}:${config[setting]}/metrics`] as [string, string]),
    ...(config.DATABASE_URL === undefined
      ? [['Database', `127.0.0.1:${config.DATABASE_PORT}; full URL in ${data}database.url`] as [string, string]]
      : []),
    ['Data and logs', data],
  ]
  const people: [string, string][] = local
    ? demoAccounts.map(({ email, name, role }) => [email, `${name}${role ? `, ${role}` : ''}`])
    : []
  const width = Math.max(...[...rows, ...people].map(([left]) => left.length)) + 3
  const print = (entries: [string, string][]) =>
    entries.forEach(([left, right]) => console.log(`  ${left.padEnd(width)}${right}`))

  console.log('\nTendon is running. Ctrl-C stops it; the data is kept.\n')
  print(rows)
  if (people.length === 0) return
  console.log('\n  Demo sign-ins (no password; any other e-mail address works too, as a new person):')
  print(people)
  console.log(`\n  Open the console first and sign in as ${people[0]?.[0]}. On the command line:`)
  const setting = config.IDENTITY_PORT === wanted.IDENTITY_PORT ? '' : `IDENTITY_PORT=${config.IDENTITY_PORT} `
  console.log(
    `  curl -H "Authorization: Bearer $(${setting}npm run -s token -- ${people[0]?.[0]})" ${config.publicUrl}/v1/me\n`,
  )
}
