import type { TenantTx } from '@tendon/db'

/** Tells that a patient's profile or forms changed: the segments they belong to are found anew after the commit. */
export async function patientChanged(_tx: TenantTx, _patientId: string): Promise<void> {}
