import { sql } from 'kysely'
import type { DataClass, ExportTools, Row } from '../../../platform/data-class.ts'
import { clinicEntries, type EntryRow, listEntriesAfter } from './queries.ts'

const isEntry = (row: Row): row is Row & EntryRow =>
  typeof row.id === 'string' && typeof row.key_id === 'string' && row.personal instanceof Buffer

/** Who did what with the record. Contains no values, because the record has them; of other people only the names. */
function show(entry: Row, { auditLog }: ExportTools): Row {
  if (!isEntry(entry)) throw new TypeError('Not an entry of the audit log.')
  const personal = auditLog.read(entry, entry.wrapped_key)
  return {
    id: entry.id,
    occurred_at: entry.occurred_at,
    actor_type: entry.actor_type,
    actor_name: personal?.actor_name ?? null,
    action: entry.action,
    on_behalf: entry.on_behalf_of !== null,
    changed_fields: personal?.changes.flatMap((change) => (change.private ? [] : change.field)) ?? [],
  }
}

export const auditDataClasses: readonly DataClass[] = [
  {
    name: 'audit_log',
    table: 'audit_log',
    label: { en: 'Who viewed or changed your record', ro: 'Cine v-a deschis sau modificat fișa' },
    patientColumn: 'patient_profile_id',
    letThrough: 'a record of who reads',
    export: {
      rows: (tx, { patient_profile_id }, last, limit) => {
        const list = { page: 1, limit, sort: [], filters: { patient_profile_id: [patient_profile_id] }, ranges: [] }
        return listEntriesAfter(clinicEntries(tx), list, last && isEntry(last) ? last : undefined, limit)
      },
      show,
    },
    erase: {
      strategy: 'keep',
      because: {
        en: 'Proof of who had access (GDPR, articles 5(2) and 32). The text of the entries is erased with its keys.',
        ro: 'Dovada celor care au avut acces (RGPD, articolele 5 alineatul (2) și 32). Textul înregistrărilor se șterge odată cu cheile lui.',
      },
    },
  },
  {
    name: 'audit_keys',
    table: 'audit_keys',
    label: { en: 'Keys of the texts in the audit log', ro: 'Cheile textelor din jurnalul de audit' },
    patientColumn: 'patient_profile_id',
    letThrough: 'written together with the log',
    export: { leftOut: { en: 'Keys, not data about you.', ro: 'Chei, nu date despre dumneavoastră.' } },
    erase: {
      strategy: 'null',
      columns: ['wrapped_key'],
      run: async (tx, { request_id }) => {
        const { rows } = await sql<{ rows: number }>`select erase_patient_audit_keys(${request_id}) as rows`.execute(tx)
        return rows[0]?.rows ?? 0
      },
    },
  },
]
