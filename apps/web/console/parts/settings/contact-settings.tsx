import type { Organization } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { shownValue } from '#ui/field-form/shown-value.ts'
import type { ShownQuestion } from '#ui/field-form/translated.ts'
import { orNull } from '#ui/field-form/use-api-form.ts'
import { VersionedFields } from '#ui/field-form/versioned-fields.tsx'

const valuesOf = ({ phone, contact_email }: Partial<Organization>): Record<string, unknown> => ({
  field_phone: phone ?? '',
  field_contact_email: contact_email ?? '',
})

/** How patients reach the clinic. */
export function ContactSettings({ organization, readOnly }: { organization: Organization; readOnly: boolean }) {
  const t = useTranslations('console.settings')
  const { id } = organization
  const [base, setBase] = useState({ values: valuesOf(organization), version: organization.version })
  const [values, setValues] = useState(base.values)
  const show = (next: typeof base.values, version: number) => {
    setBase({ values: next, version })
    setValues(next)
  }
  const write = useWrite('PATCH /v1/organizations/{id}', {
    refresh: ['/v1/organizations'],
    onDone: ({ data }) => {
      show(valuesOf(data), data.version)
      toast({ text: t('saved') })
    },
  })
  const questions: ShownQuestion[] = [
    { key: 'phone', type: 'text', label: t('contact.phone'), help_text: t('contact.phoneHelp'), max_length: 40 },
    { key: 'contact_email', type: 'text', label: t('contact.email'), max_length: 254 },
  ]
  const given = (key: string) => orNull(shownValue(values[key]))
  return (
    <VersionedFields
      fields={questions}
      values={values}
      stored={base.values}
      onChange={setValues}
      write={write}
      version={base.version}
      onSave={(version) =>
        write.mutate({
          params: { id },
          body: { phone: given('field_phone'), contact_email: given('field_contact_email'), version },
        })
      }
      valuesOf={valuesOf}
      onTheirs={show}
      readOnly={readOnly}
    />
  )
}
