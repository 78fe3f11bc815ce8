import type { en } from './texts.en.ts'

export const ro: typeof en = {
  documents: {
    title: 'Documente',
    help: 'PDF-uri ale formularelor, planurilor și vizitelor. Cu codul și fișierul unui document, oricine poate verifica dacă este autentic.',
    empty: 'Încă niciun document',
    emptyText: 'Creați un PDF: un formular semnat, un plan, o scrisoare sau o adeverință de prezență.',
    make: 'Creați un document',
    kind: 'Tip',
    kinds: {
      form: 'Formular',
      treatment_plan: 'Plan',
      appointment_letter: 'Scrisoare despre o vizită',
      attendance_certificate: 'Adeverință de prezență',
    },
    of: 'Despre',
    language: 'Limba',
    made: 'Creat',
    pages: 'Pagini',
    code: 'Cod',
    download: 'Descărcați',
    done: 'Documentul este gata.',
    none: {
      form: 'Acest pacient nu are niciun formular completat.',
      treatment_plan: 'Acest pacient nu are niciun plan activat.',
      appointment_letter: 'Acest pacient nu are nicio vizită.',
      attendance_certificate: 'Acest pacient nu a fost încă la o vizită. Marcați întâi o vizită cu „A sosit”.',
    },
  },
}
