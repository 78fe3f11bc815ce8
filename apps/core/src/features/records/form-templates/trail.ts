import type { FormTemplate } from '@tendon/contracts'
import type { Template } from './rules.ts'

// What the audit log keeps of a template.

export const targetOf = ({ id, title }: FormTemplate) => ({ type: 'form_template', id, label: title })

export const contentOf = ({
  title,
  description,
  type,
  fields,
  translations,
  consent_purposes,
}: FormTemplate): Template => ({ title, description, type, fields, translations, consent_purposes })
