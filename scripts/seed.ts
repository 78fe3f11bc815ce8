// `npm run seed -- --clinics 200 --patients 10000`: fills the database of `npm start` with clinics of a size at which plans
// of statements matter. The first of them is the largest.
import { parseArgs } from 'node:util'
import { readConfig } from '@tendon/config'
import { explainNotReady, findDatabaseUrl, runEntry, StartError } from '@tendon/process'
import { seed } from './seed/seed.ts'

const MAX_CLINICS = 10_000
const MAX_PATIENTS = 1_000_000
const USAGE = `Usage: npm run seed -- --clinics <1 to ${MAX_CLINICS}> --patients <1 to ${MAX_PATIENTS}>`

runEntry(async () => {
  const size = readSize()
  const config = readConfig(process.env)
  if (config.NODE_ENV === 'production' || config.AUTH_ISSUER !== undefined)
    throw new StartError(
      'npm run seed creates fictional clinics and people, so it is refused in production. Run it beside npm start, with AUTH_ISSUER unset and NODE_ENV other than production.',
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

function readSize() {
  const options = {
    clinics: { type: 'string', default: '200' },
    patients: { type: 'string', default: '10000' },
  } as const
  try {
    const { values } = parseArgs({ options })
    const size = { clinics: Number(values.clinics), patients: Number(values.patients) }
    if (isWithin(size.clinics, MAX_CLINICS) && isWithin(size.patients, MAX_PATIENTS)) return size
  } catch {
    // parseArgs throws for an unknown option; the usage is shown below.
  }
  throw new StartError(USAGE)
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max
}
