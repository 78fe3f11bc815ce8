import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import { pino } from 'pino'
import type { JobTools } from '../../platform/jobs.ts'
import type { Services } from '../../services.ts'

/** What a worker gives to a job, for a test that runs one by hand. */
export const jobTools = (services: Services, organizationId: string | null = null): JobTools => ({
  services,
  organizationId,
  log: pino({ level: 'silent' }),
  tenant: (work, options) => services.db.tenant(systemContext(organizationId), work, options),
  audit: (tx, entry, of = organizationId) =>
    new AuditLog(services.box).write(tx, { ...SYSTEM, organizationId: of }, entry),
  lastAttempt: false,
  signal: new AbortController().signal,
})
