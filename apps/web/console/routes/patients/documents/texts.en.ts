export const en = {
  documents: {
    title: 'Documents',
    help: 'PDFs of forms, plans and visits. With its code and its file, anyone can check whether a document is genuine.',
    empty: 'No document yet',
    emptyText: 'Create a PDF: a signed form, a plan, a letter or a certificate of attendance.',
    make: 'Create a document',
    kind: 'Type',
    kinds: {
      form: 'Form',
      treatment_plan: 'Plan',
      appointment_letter: 'Letter about a visit',
      attendance_certificate: 'Certificate of attendance',
    },
    of: 'About',
    language: 'Language',
    made: 'Created',
    pages: 'Pages',
    code: 'Code',
    download: 'Download',
    done: 'The document is ready.',
    none: {
      form: 'This patient has no completed form.',
      treatment_plan: 'This patient has no activated plan.',
      appointment_letter: 'This patient has no visit.',
      attendance_certificate: 'This patient has not attended a visit yet. Set a visit to “arrived” first.',
    },
  },
}
