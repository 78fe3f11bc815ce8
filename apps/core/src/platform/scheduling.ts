import type { TenantTx } from '@tendon/db'

/** What scheduling knows of a specialist. */
export interface Scheduling {
  listWeeklyHours(tx: TenantTx, specialistId: string): Promise<object[]>
  /** While there are any, the specialist's time zone stays: they are written in it. */
  listOverrides(tx: TenantTx, specialistId: string): Promise<object[]>
}

/** As long as nothing is scheduled. */
export const noScheduling: Scheduling = {
  listWeeklyHours: async () => [],
  listOverrides: async () => [],
}
