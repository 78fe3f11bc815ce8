import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'

export const automationDataClasses: readonly DataClass[] = [
  {
    name: 'automation_executions',
    table: 'automation_executions',
    label: { en: 'Automations that concerned you', ro: 'Automatizări care v-au vizat' },
    patientColumn: 'patient_profile_id',
    letThrough: 'an event that happened is noted; its rule is skipped while processing is restricted',
    export: {
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const { rows } = await sql<Row>`
          select e.id, v.definition ->> 'name' as rule, e.event, e.status, e.created_at, e.finished_at
          from automation_executions e join automation_rule_versions v on v.organization_id = e.organization_id
            and v.rule_id = e.rule_id and v.version = e.rule_version
          where e.organization_id = (select current_app_org_id()) and e.patient_profile_id = ${patient_profile_id}
            and (${last?.id ?? null}::uuid is null or e.id > ${last?.id ?? null}::uuid)
          order by e.id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: { strategy: 'null', columns: ['data', 'patient_profile_id'] },
  },
]
