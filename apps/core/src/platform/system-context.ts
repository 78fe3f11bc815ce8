import type { Context } from '@tendon/db'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** Background work: one organization (or, with the nil UUID, the platform), nobody in particular, every permission. */
export const systemContext = (organizationId: string | null): Context => ({
  principalId: null,
  organizationId: organizationId ?? NIL_UUID,
  permissions: '*',
})
