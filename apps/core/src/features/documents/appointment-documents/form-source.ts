import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { type FormRow, printableForm, readForm } from '../../records/forms/index.ts'
import { dateIn, dayIn, WORDS } from '../pdf-templates/index.ts'
import { formNotCompleted } from './errors.ts'
import { answersOf, titleOf } from './form-answers.ts'
import { personValues } from './person.ts'
import { findMemberName, findSpecialistOf } from './queries.ts'
import type { Chosen, Source } from './source.ts'

/** A completed or signed form, without private fields. */
export async function readFormSource(
  request: FastifyRequest,
  tx: TenantTx,
  id: string,
  { letterhead, language }: Chosen,
): Promise<Source> {
  const row = await readForm(request, tx, id)
  if (row.status !== 'completed' && row.status !== 'signed') throw formNotCompleted()
  const { form, files } = await printableForm(tx, row)
  const person = await personValues(tx, form.patient_profile_id, language)
  const signer = await signerOf(tx, row, person['patient.name'])
  const on = (instant: string | null) => (instant === null ? '' : dateIn(language, letterhead.time_zone, instant))
  const title = titleOf(form, language)
  const line = (name: string) => ({ name, caption: '', image: null })
  return {
    kind: 'form',
    of: { form_id: form.id },
    patient_profile_id: form.patient_profile_id,
    specialist_id: row.signed_by_principal_id === null ? null : await findSpecialistOf(tx, row.signed_by_principal_id),
    title,
    facts: {
      values: {
        ...person,
        'form.title': title,
        'form.completed_on': on(form.completed_at),
        'form.signed_on': on(form.signed_at),
        'form.signed_by': signer,
      },
      answers: answersOf(form, { language, dayOf: (day) => dayIn(language, day) }),
      sessions: [],
      signatures: {
        signer: { name: signer, caption: on(form.signed_at), image: null },
        specialist: line(signer),
        patient: line(person['patient.name']),
      },
      images: new Map(),
    },
    appendix: row.status === 'signed' ? certificateOf(row, signer, files, language) : [],
  }

  function certificateOf(
    { id, template_version, signed_at, seal, amended_at, amended_by_form_id }: FormRow,
    name: string,
    hashes: readonly { name: string; sha256: Buffer }[],
    of: Chosen['language'],
  ): Source['appendix'] {
    const words = WORDS[of]
    return [
      { type: 'heading', level: 2, text: words.certificate },
      { type: 'text', text: words.certificateText },
      {
        type: 'answers',
        rows: [
          { label: words.form, value: id },
          { label: words.templateVersion, value: String(template_version) },
          { label: words.signedBy, value: name },
          { label: words.signedAt, value: signed_at ?? '' },
          { label: words.seal, value: grouped(seal) },
          ...(amended_at === null || amended_by_form_id === null
            ? []
            : [
                { label: words.correctedAt, value: amended_at },
                { label: words.correctedBy, value: amended_by_form_id },
              ]),
          ...hashes.map((file) => ({
            label: `${words.file}: ${file.name}`,
            value: `SHA-256 ${grouped(file.sha256)}`,
          })),
        ],
      },
    ]
  }
}

/** The name of the member who signed, otherwise of the patient: nobody else can sign. */
async function signerOf(tx: TenantTx, { signed_by_principal_id }: FormRow, patientName: string): Promise<string> {
  if (signed_by_principal_id === null) return ''
  return (await findMemberName(tx, signed_by_principal_id)) ?? patientName
}

/** Groups the digits of the seal, so that the line can break. */
const grouped = (hash: Buffer | null): string => hash?.toString('hex').replaceAll(/.{8}(?=.)/g, '$& ') ?? ''
