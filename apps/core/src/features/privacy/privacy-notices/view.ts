import type { Organization, PrivacyNotice, PrivacyNoticeTemplate } from '@tendon/contracts'
import { textIn } from '../consent-purposes/index.ts'
import type { Draft, Notice } from './queries.ts'
import { assemble, type Choice, defaultSections } from './rules.ts'

// A clinic's notice as it is shown: to everybody what is published, to those who write it the draft as well.

interface OrganizationData {
  name: string
  legal_name: string | null
  contact_email: string | null
  phone: string | null
  address: Organization['address']
}

export const firstDraft = (template: PrivacyNoticeTemplate): Draft => ({
  draft_template_version: template.version,
  draft_placeholder_values: {},
  draft_included_sections: defaultSections(template),
})

export const choiceOf = (draft: Draft): Choice => ({
  placeholder_values: draft.draft_placeholder_values,
  included_sections: draft.draft_included_sections,
})

/** `notice` is undefined until somebody writes or publishes it. */
export function showNotice(
  notice: Notice | undefined,
  of: { organizationId: string; newest: PrivacyNoticeTemplate; language: string },
): PrivacyNotice {
  const source = notice?.source_template_version ?? null
  const body = notice?.assembled_body ?? null
  return {
    organization_id: of.organizationId,
    version: notice?.version ?? 1,
    published_version: notice?.published_version ?? null,
    published_at: notice?.published_at ?? null,
    published_by_principal_id: notice?.published_by_principal_id ?? null,
    source_template_version: source,
    placeholder_values: notice?.placeholder_values ?? null,
    included_sections: notice?.included_sections ?? null,
    assembled_body: body,
    body: body && textIn(body, of.language),
    latest_template_version: of.newest.version,
    republish_needed: source !== null && source < of.newest.version,
  }
}

/** `template` is the one of the draft. */
export function showDraft(
  draft: Draft,
  published: Notice | undefined,
  template: PrivacyNoticeTemplate,
  organization: OrganizationData | undefined,
): NonNullable<PrivacyNotice['draft']> {
  const { body, missing } = assemble(template, choiceOf(draft))
  return {
    template_version: draft.draft_template_version,
    placeholder_values: draft.draft_placeholder_values,
    included_sections: draft.draft_included_sections,
    missing_placeholders: missing,
    suggested_values: suggest(draft, template, organization),
    unpublished_changes:
      published?.source_template_version !== template.version ||
      Object.entries(body).some(([language, text]) => published.assembled_body?.[language] !== text),
  }
}

function suggest(draft: Draft, template: PrivacyNoticeTemplate, organization: OrganizationData | undefined) {
  const known = new Map([
    ['clinic_name', organization?.name],
    ['legal_name', organization?.legal_name],
    ['contact_email', organization?.contact_email],
    ['phone', organization?.phone],
    ['address', addressInOneLine(organization?.address)],
  ])
  const suggested: Record<string, string> = {}
  for (const { key } of template.placeholders) {
    const value = known.get(key)
    if (value && !draft.draft_placeholder_values[key]) suggested[key] = value
  }
  return suggested
}

function addressInOneLine(address: Organization['address'] | undefined): string | undefined {
  const { line1, line2, postal_code, city, region, country } = address ?? {}
  const town = [postal_code, city].filter(Boolean).join(' ')
  return [line1, line2, town, region, country].filter(Boolean).join(', ') || undefined
}
