import { type Context, NIL_UUID } from '@tendon/db'

/** Background work: one organization (or, with the nil UUID, the platform), nobody in particular, every permission. */
export const systemContext = (organizationId: string | null): Context => ({
  principalId: null,
  organizationId: organizationId ?? NIL_UUID,
  permissions: '*',
  serviceCodes: '*',
})
