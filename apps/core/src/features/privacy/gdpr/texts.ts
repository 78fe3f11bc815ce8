import type { Language } from '@tendon/access'

// The texts of the page in an export.

export const PAGE_TEXTS = {
  en: {
    title: 'Your data',
    intro:
      'This is the data that the clinic stores about you. The files next to this page contain the same data and more, in machine-readable form.',
    clinic: 'Clinic',
    created: 'Made on',
    record: 'Record',
    contents: 'Contents',
    none: 'No data is stored.',
    more: (shown: number, total: number, file: string) =>
      `The first ${shown} of ${total} are shown. All of them are in ${file}.`,
    leftOut: 'Left out, and why',
    missingFile: 'The file is no longer in the store.',
    yes: 'yes',
    no: 'no',
  },
  ro: {
    title: 'Datele dumneavoastră',
    intro:
      'Aceasta este ceea ce păstrează clinica despre dumneavoastră. Fișierele de lângă această pagină cuprind aceleași date și altele, pentru programe.',
    clinic: 'Clinica',
    created: 'Întocmit la',
    record: 'Fișa',
    contents: 'Cuprins',
    none: 'Nu se păstrează nimic.',
    more: (shown: number, total: number, file: string) =>
      `Sunt arătate primele ${shown} din ${total}. Toate se află în ${file}.`,
    leftOut: 'Ce nu este cuprins și de ce',
    missingFile: 'Fișierul nu mai există în depozit.',
    yes: 'da',
    no: 'nu',
  },
} as const satisfies Record<Language, unknown>

const COLUMN_LABELS: Record<string, Record<Language, string>> = {
  id: { en: 'Id', ro: 'Identificator' },
  first_name: { en: 'First name', ro: 'Prenume' },
  last_name: { en: 'Last name', ro: 'Nume' },
  email: { en: 'E-mail', ro: 'E-mail' },
  phone: { en: 'Phone', ro: 'Telefon' },
  birth_date: { en: 'Date of birth', ro: 'Data nașterii' },
  sex: { en: 'Sex', ro: 'Sex' },
  language_code: { en: 'Language', ro: 'Limba' },
  address: { en: 'Address', ro: 'Adresa' },
  line1: { en: 'Street', ro: 'Strada' },
  line2: { en: 'Addition', ro: 'Completare' },
  city: { en: 'City', ro: 'Localitatea' },
  region: { en: 'Region', ro: 'Județul' },
  postal_code: { en: 'Postal code', ro: 'Codul poștal' },
  country: { en: 'Country', ro: 'Țara' },
  notes: { en: 'Notes', ro: 'Note' },
  invited_email: { en: 'Invited at', ro: 'Invitat la adresa' },
  invited_at: { en: 'Invited on', ro: 'Invitat la data' },
  claimed_at: { en: 'Joined on', ro: 'Preluat la data' },
  created_at: { en: 'Created on', ro: 'Creat la data' },
  updated_at: { en: 'Changed on', ro: 'Modificat la data' },
  deleted_at: { en: 'Deleted on', ro: 'Șters la data' },
  restricted_at: { en: 'Processing restricted since', ro: 'Prelucrare restricționată din' },
  completed_at: { en: 'Completed on', ro: 'Încheiat la data' },
  expires_at: { en: 'Ends on', ro: 'Expiră la data' },
  ended_at: { en: 'Ended on', ro: 'Încetat la data' },
  occurred_at: { en: 'When', ro: 'Când' },
  purpose_code: { en: 'Purpose', ro: 'Scopul' },
  purpose_version: { en: 'Version of the text', ro: 'Versiunea textului' },
  source: { en: 'How', ro: 'Cum' },
  granted_at: { en: 'Agreed on', ro: 'Acordat la data' },
  granted_via_ip: { en: 'Agreed from', ro: 'Acordat de la adresa' },
  withdrawn_at: { en: 'Withdrawn on', ro: 'Retras la data' },
  withdrawal_reason: { en: 'Reason of the withdrawal', ro: 'Motivul retragerii' },
  ended_as: { en: 'How it ended', ro: 'Cum s-a încheiat' },
  kind: { en: 'Kind', ro: 'Felul' },
  status: { en: 'State', ro: 'Starea' },
  reason: { en: 'Reason', ro: 'Motivul' },
  actor_type: { en: 'Who (kind)', ro: 'Cine (felul)' },
  actor_name: { en: 'Who', ro: 'Cine' },
  action: { en: 'What was done', ro: 'Ce s-a făcut' },
  changed_fields: { en: 'Changed', ro: 'S-a modificat' },
  on_behalf: { en: 'Viewed as the patient', ro: 'Văzut prin ochii pacientului' },
  file: { en: 'File', ro: 'Fișierul' },
}

/** "birth_date" in the reader's language; what has no words yet, by its own name. */
export function columnWords(column: string, language: Language): string {
  const plain = column.replaceAll('_', ' ')
  return COLUMN_LABELS[column]?.[language] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
