import { randomUUID } from 'node:crypto'
import { enterAsPatient } from '../../../scripts/start/api.ts'
import { superadminCommand } from '../../core/src/entries/superadmin-command.ts'
import type { WebServices } from './services.ts'

export interface TestClinic {
  id: string
  slug: string
  name: string
  /** E-mail of an admin. */
  admin: string
  /** E-mail of a specialist. */
  specialist: string
}

/** Makes people and clinics through the API. Each test makes its own clinic. */
export function peopleOf({ api, database, services }: WebServices) {
  const newEmail = (who: string) => `${who}-${randomUUID().slice(0, 8)}@mail.example`
  let operator: Promise<string> | undefined

  async function makeOperator(): Promise<string> {
    const email = newEmail('operator')
    await superadminCommand(['grant', email], { db: services.db, box: services.box })
    return email
  }

  async function clinic({
    name = 'Clinica Test',
    ...values
  }: {
    name?: string
    [key: string]: unknown
  } = {}): Promise<TestClinic> {
    operator ??= makeOperator()
    const by = await operator
    const slug = `clinic-${randomUUID().slice(0, 8)}`
    const { id } = await api.post('/v1/organizations', by, { name, slug, ...values })
    const roles: { id: string; code: string }[] = await api.get(`/v1/organizations/${id}/roles`, by)
    const member = async (code: string) => {
      const email = newEmail(code)
      const role_id = roles.find((role) => role.code === code)?.id
      await api.post(`/v1/organizations/${id}/members`, by, { email, role_id })
      return email
    }
    return { id, slug, name, admin: await member('admin'), specialist: await member('specialist') }
  }

  return {
    newEmail,
    operator: () => (operator ??= makeOperator()),
    clinic,
    /** E-mail of another admin of the clinic. */
    async secondAdmin(of: TestClinic): Promise<string> {
      const email = newEmail('second-admin')
      const roles: { id: string; code: string }[] = await api.get(`/v1/organizations/${of.id}/roles`, of.admin)
      const role_id = roles.find(({ code }) => code === 'admin')?.id
      await api.post(`/v1/organizations/${of.id}/members`, of.admin, { email, role_id })
      return email
    },
    /** Publishes a privacy notice: a clinic needs one before it takes in patients. */
    publishNotice: (of: TestClinic) =>
      database.query(
        `insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations)
         values ('org_privacy_notice', $1, 1, '{"en": "Privacy notice", "ro": "Notă de confidențialitate"}')`,
        [of.id],
      ),
    /** A patient who can sign in. `consents` false: the gate is still closed. */
    async patient(of: TestClinic, { first = 'Maria', last = 'Stan', consents = true } = {}) {
      const email = newEmail('patient')
      const record = await api.post('/v1/patients', of.admin, {
        first_name: first,
        last_name: last,
        email,
        invite: true,
      })
      if (consents) await enterAsPatient(api, email)
      else await api.raw('/v1/me', email)
      return { email, record }
    },
  }
}
