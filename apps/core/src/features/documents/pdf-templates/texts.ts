import type { DefaultPdfTemplate, DocumentKind, DocumentLanguage } from '@tendon/contracts'

// The platform's own texts in documents, in each language.

export const WORDS = {
  en: {
    locale: 'en-GB',
    verify: 'Verify this document at',
    yes: 'Yes',
    no: 'No',
    modes: { in_person: 'at the clinic', video: 'by video', phone: 'by telephone' },
    sides: { left: 'left', right: 'right', both: 'both sides' },
    exercise: 'Exercise',
    dose: 'How much',
    instructions: 'How to do it',
    sets: { one: '# set', few: '# sets', other: '# sets' },
    repetitions: { one: '# repetition', few: '# repetitions', other: '# repetitions' },
    hold: 'hold # s',
    rest: 'rest # s between sets',
    notes: 'Notes',
    registration: 'registration no.',
    patient: 'Patient',
    certificate: 'Signature certificate',
    certificateText:
      'This form was signed electronically and has not changed since. The seal is a SHA-256 over its questions, answers, files, signer and time.',
    form: 'Form',
    templateVersion: 'Version of the template',
    signedBy: 'Signed by',
    signedAt: 'Signed at (UTC)',
    seal: 'Seal',
    correctedAt: 'Corrected at (UTC)',
    correctedBy: 'Correction',
    file: 'File',
  },
  ro: {
    locale: 'ro-RO',
    verify: 'Verificați acest document la',
    yes: 'Da',
    no: 'Nu',
    modes: { in_person: 'la clinică', video: 'prin video', phone: 'prin telefon' },
    sides: { left: 'stânga', right: 'dreapta', both: 'ambele părți' },
    exercise: 'Exercițiu',
    dose: 'Cât',
    instructions: 'Cum se face',
    sets: { one: '# serie', few: '# serii', other: '# de serii' },
    repetitions: { one: '# repetare', few: '# repetări', other: '# de repetări' },
    hold: 'mențineți # s',
    rest: 'pauză # s între serii',
    notes: 'Observații',
    registration: 'nr. de înregistrare',
    patient: 'Pacient',
    certificate: 'Certificat de semnare',
    certificateText:
      'Acest formular a fost semnat electronic și nu s-a schimbat de atunci. Sigiliul este un SHA-256 al întrebărilor, răspunsurilor, fișierelor, semnatarului și orei.',
    form: 'Formular',
    templateVersion: 'Versiunea șablonului',
    signedBy: 'Semnat de',
    signedAt: 'Semnat la (UTC)',
    seal: 'Sigiliu',
    correctedAt: 'Corectat la (UTC)',
    correctedBy: 'Corectura',
    file: 'Fișier',
  },
} as const

const PATIENT_EN = { columns: ['Patient', 'Date of birth', 'Date'] }
const PATIENT_RO = { columns: ['Pacient', 'Data nașterii', 'Data'] }
const PATIENT_ROW = { rows: [['{{patient.name}}', '{{patient.birth_date}}', '{{document.date}}']] }

/** Built-in templates, used until a clinic publishes its own. */
export const DEFAULT_TEMPLATES: readonly DefaultPdfTemplate[] = [
  {
    kind: 'form',
    language: 'en',
    name: 'Form',
    blocks: [
      { type: 'table', ...PATIENT_EN, ...PATIENT_ROW },
      { type: 'form_answers' },
      { type: 'signature', signer: 'signer' },
    ],
  },
  {
    kind: 'form',
    language: 'ro',
    name: 'Formular',
    blocks: [
      { type: 'table', ...PATIENT_RO, ...PATIENT_ROW },
      { type: 'form_answers' },
      { type: 'signature', signer: 'signer' },
    ],
  },
  {
    kind: 'appointment_letter',
    language: 'en',
    name: 'Your appointment',
    blocks: [
      { type: 'text', text: '{{document.date}}' },
      { type: 'text', text: 'Dear {{patient.name}},\nYour appointment at {{clinic.name}}:' },
      {
        type: 'table',
        columns: ['Date', 'Time', 'Service', 'With'],
        rows: [
          [
            '{{appointment.date}}',
            '{{appointment.time}} – {{appointment.end_time}}',
            '{{appointment.service}}',
            '{{appointment.specialist}}[[, {{appointment.specialist_title}}]]',
          ],
        ],
      },
      { type: 'text', text: 'The appointment takes place {{appointment.mode}}. {{appointment.location}}' },
      { type: 'text', text: 'If you cannot come, please call us[[: {{clinic.phone}}]].' },
      { type: 'signature', signer: 'specialist' },
    ],
  },
  {
    kind: 'appointment_letter',
    language: 'ro',
    name: 'Programarea dumneavoastră',
    blocks: [
      { type: 'text', text: '{{document.date}}' },
      {
        type: 'text',
        text: 'Stimate pacient / Stimată pacientă {{patient.name}},\nProgramarea dumneavoastră la {{clinic.name}}:',
      },
      {
        type: 'table',
        columns: ['Data', 'Ora', 'Serviciul', 'Cu'],
        rows: [
          [
            '{{appointment.date}}',
            '{{appointment.time}} – {{appointment.end_time}}',
            '{{appointment.service}}',
            '{{appointment.specialist}}[[, {{appointment.specialist_title}}]]',
          ],
        ],
      },
      { type: 'text', text: 'Programarea are loc {{appointment.mode}}. {{appointment.location}}' },
      { type: 'text', text: 'Dacă nu puteți ajunge, vă rugăm să ne sunați[[: {{clinic.phone}}]].' },
      { type: 'signature', signer: 'specialist' },
    ],
  },
  {
    kind: 'attendance_certificate',
    language: 'en',
    name: 'Certificate of attendance',
    blocks: [
      {
        type: 'text',
        text: '{{clinic.name}} certifies that {{patient.name}}[[, born on {{patient.birth_date}},]] attended an appointment on {{appointment.date}}, from {{appointment.time}} to {{appointment.end_time}}.',
      },
      { type: 'text', text: 'Issued on {{document.date}} at the request of the patient.' },
      { type: 'signature', signer: 'specialist' },
    ],
  },
  {
    kind: 'attendance_certificate',
    language: 'ro',
    name: 'Adeverință de prezență',
    blocks: [
      {
        type: 'text',
        text: '{{clinic.name}} adeverește că {{patient.name}}[[, născut(ă) la data de {{patient.birth_date}},]] a fost prezent(ă) la o programare în data de {{appointment.date}}, între orele {{appointment.time}} și {{appointment.end_time}}.',
      },
      { type: 'text', text: 'Eliberată la data de {{document.date}}, la cererea pacientului.' },
      { type: 'signature', signer: 'specialist' },
    ],
  },
  {
    kind: 'treatment_plan',
    language: 'en',
    name: 'Treatment plan',
    blocks: [
      { type: 'table', ...PATIENT_EN, ...PATIENT_ROW },
      { type: 'text', text: '{{plan.description}}' },
      { type: 'plan_exercises' },
      { type: 'text', text: 'Stop and call us if an exercise causes strong pain[[: {{clinic.phone}}]].' },
    ],
  },
  {
    kind: 'treatment_plan',
    language: 'ro',
    name: 'Plan de tratament',
    blocks: [
      { type: 'table', ...PATIENT_RO, ...PATIENT_ROW },
      { type: 'text', text: '{{plan.description}}' },
      { type: 'plan_exercises' },
      {
        type: 'text',
        text: 'Opriți-vă și sunați-ne dacă un exercițiu provoacă dureri puternice[[: {{clinic.phone}}]].',
      },
    ],
  },
]

export function defaultTemplate(kind: DocumentKind, language: DocumentLanguage): DefaultPdfTemplate {
  const found = DEFAULT_TEMPLATES.find((one) => one.kind === kind && one.language === language)
  if (!found) throw new Error(`no template for ${kind} in ${language}`)
  return found
}
