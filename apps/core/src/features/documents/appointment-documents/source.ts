import type { DocumentKind, DocumentLanguage, PdfBlock } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Block } from '@tendon/pdf'
import {
  type DocumentFacts,
  defaultTemplate,
  findLatestTemplate,
  findLetterhead,
  findTemplate,
  findVersion,
  type Letterhead,
  type Picture,
  pdfTemplateNotFound,
  templateNotPublished,
} from '../pdf-templates/index.ts'
import { wrongTemplateKind } from './errors.ts'

/** The data of a document, read in one transaction. */
export interface Source {
  kind: DocumentKind
  of: { appointment_id: string } | { form_id: string } | { treatment_plan_id: string }
  patient_profile_id: string | null
  /** The specialist whose signature is printed. */
  specialist_id: string | null
  title: string
  facts: DocumentFacts
  /** Printed after the blocks of the template. */
  appendix: readonly Block<Picture>[]
}

export interface Chosen {
  letterhead: Letterhead
  language: DocumentLanguage
  template: { id: string | null; version: number; name: string; blocks: readonly PdfBlock[] }
}

/** The requested template, otherwise the clinic's latest of this kind and language, otherwise the built-in one. */
export async function chooseTemplate(
  tx: TenantTx,
  kind: DocumentKind,
  asked: { pdf_template_id?: string | undefined; language?: DocumentLanguage | undefined },
): Promise<Chosen> {
  const letterhead = await findLetterhead(tx)
  if (asked.pdf_template_id !== undefined) {
    const template = await findTemplate(tx, asked.pdf_template_id)
    if (!template) throw pdfTemplateNotFound()
    if (template.kind !== kind) throw wrongTemplateKind({ actual: template.kind, expected: kind })
    if (template.version === 0 || template.status === 'archived') throw templateNotPublished()
    return publishedVersion(tx, letterhead, template, asked.language)
  }
  const language = asked.language ?? letterhead.language
  const latest = await findLatestTemplate(tx, kind, language)
  if (latest) return publishedVersion(tx, letterhead, latest, language)
  return { letterhead, language, template: { ...defaultTemplate(kind, language), id: null, version: 0 } }
}

async function publishedVersion(
  tx: TenantTx,
  letterhead: Letterhead,
  { id, version }: { id: string; version: number },
  language: DocumentLanguage | undefined,
): Promise<Chosen> {
  const found = await findVersion(tx, id, version)
  if (!found) throw pdfTemplateNotFound()
  return {
    letterhead,
    language: language ?? found.language,
    template: { id, version, name: found.name, blocks: found.blocks },
  }
}
