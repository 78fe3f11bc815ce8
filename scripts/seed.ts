// `npm run seed -- --clinics 200 --patients 10000`: fills the database of `npm start` with clinics of a size at which plans
// of statements matter. The first of them is the largest.
import { parseArgs } from 'node:util'
import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, runEntry, StartError } from '@tendon/process'
import { seed } from './seed/seed.ts'

const MAX_CLINICS = 10_000
const MAX_PATIENTS = 1_000_000
const USAGE = `Usage: npm run seed -- --clinics <1 to ${MAX_CLINICS}> --patients <1 to ${MAX_PATIENTS}> [--into-database-url]`

runEntry(async () => {
  const { intoDatabaseUrl, ...size } = readOptions()
  const config = readConfig(process.env)
  if (config.NODE_ENV === 'production' || config.AUTH_ISSUER !== undefined)
    throw new StartError(
      'npm run seed creates fictional clinics and people, so it is refused in production. Run it beside npm start, with AUTH_ISSUER unset and NODE_ENV other than production.',
    )
  if (config.DATABASE_URL !== undefined && !intoDatabaseUrl)
    throw new StartError(
      'DATABASE_URL is set: npm run seed would write fictional clinics into that database, beside all that is in it. Unset DATABASE_URL to fill the database of npm start, or add --into-database-url.',
    )
  const databaseUrl = await findDatabaseUrl(config)
  const startedAt = performance.now()
  const { clinics, patients } = await seed({
    databaseUrl,
    config,
    size,
    issuer: config.issuer,
    say: (line) => console.log(`  ${line}`),
  }).catch(explainNotReady)
  const [largest] = clinics
  console.log(`${clinics.length} clinics with ${patients.length} patients in ${seconds(startedAt)} s.
The largest is ${largest?.slug}. Sign in at ${config.publicUrl}/console/ as admin@${largest?.domain},
or at ${config.publicUrl}/portal/ as its patient patient-1@${largest?.domain}.`)
})

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000)
}

function readOptions() {
  const options = {
    clinics: { type: 'string', default: '200' },
    patients: { type: 'string', default: '10000' },
    'into-database-url': { type: 'boolean', default: false },
  } as const
  try {
    const { values } = parseArgs({ options })
    const [clinics, patients] = [Number(values.clinics), Number(values.patients)]
    if (isWithin(clinics, MAX_CLINICS) && isWithin(patients, MAX_PATIENTS))
      return { clinics, patients, intoDatabaseUrl: values['into-database-url'] }
  } catch {
    // parseArgs throws for an unknown option; the usage is shown below.
  }
  throw new StartError(USAGE)
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max
}
