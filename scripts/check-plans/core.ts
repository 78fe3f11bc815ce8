import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@tendon/access'
import { readConfig } from '@tendon/config'
import { portOf, startRoundTrips, TEST_ROLE_SECRET, type TestIssuer } from '@tendon/testing'
import { buildApp } from '../../apps/core/src/app.ts'
import { createServices } from '../../apps/core/src/create-services.ts'
import { subjectOf } from '../../apps/identity/src/accounts.ts'
import { type Call, callerOf } from './call.ts'

const MANY = '1000000'

export interface MeasuredCore {
  call: Call
  /** How many round trips to the database the work took. */
  countTrips(work: () => Promise<unknown>): Promise<number>
  close(): Promise<void>
}

/** A core on this database, which counts its round trips, and people of the clinic who can sign in. */
export async function startMeasuredCore(
  databaseUrl: string,
  issuer: TestIssuer,
  domain: string,
): Promise<MeasuredCore> {
  const trips = await startRoundTrips(databaseUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'tendon-check-plans-'))
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    AUTH_ISSUER: issuer.issuer,
    // One connection for the clinic's transactions: with two, the count would depend on which of them answers first.
    DATABASE_POOL_SIZE: '2',
    CALLER_CACHE_MS: '0',
    RATE_LIMIT_ENTRY_PER_MINUTE: MANY,
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: MANY,
    RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: MANY,
    RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: MANY,
    STATEMENT_TIMEOUT_MS: '20000',
    CONNECTION_WAIT_MS: '60000',
  })
  // The listener bypasses the proxy: its heartbeat is not a round trip of a request.
  const made = createServices(config, 'tendon_app', databaseUrl)
  const db = openDatabase(config, 'tendon_app', trips.url)
  const app = buildApp({ ...made, db })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const tokenOf = (email: string) => issuer.sign({ sub: subjectOf(email), email, email_verified: true })
  const tokens = {
    admin: await tokenOf(`admin@${domain}`),
    patient: await tokenOf(`patient-1@${domain}`),
    visitor: undefined,
  }
  return {
    call: callerOf(`http://127.0.0.1:${portOf(app.server)}`, tokens),
    countTrips: trips.count,
    async close() {
      await app.close()
      await db.close()
      await made.close()
      await trips.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
