import type { AutomationDefinition } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import { readMessage } from '../integrations/index.ts'
import type { ContextRow } from './execution-queries.ts'
import { isMessagePath, type PathValues } from './rules.ts'

type Data = Readonly<Record<string, unknown>>

export const appointmentIn = (data: Data | null): string | null =>
  typeof data?.appointment_id === 'string' ? data.appointment_id : null

/** The values that conditions read. A message is decrypted only for a rule that reads it. */
export async function valuesFor(
  tx: TenantTx,
  box: SecretBox,
  { conditions, data, context }: Pick<AutomationDefinition, 'conditions'> & { data: Data; context: ContextRow },
): Promise<PathValues> {
  const readsMessage = conditions.rules.some(({ path }) => isMessagePath(path))
  const { message_id } = data
  return {
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value])),
    'patient.sex': context.patient_sex,
    'patient.language_code': context.patient_language,
    'patient.birth_date': context.patient_birth_date,
    'appointment.status': context.appointment_status,
    'appointment.mode': context.appointment_mode,
    'appointment.starts_on': context.appointment_starts_on,
    message: readsMessage && typeof message_id === 'string' ? await readMessage(tx, box, message_id) : undefined,
  }
}
