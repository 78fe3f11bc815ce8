import type { en } from './texts.en.ts'

export const ro: typeof en = {
  clinics: {
    title: 'Clinicile dumneavoastră',
    leave: 'Părăsiți clinica',
    leaveTitle: 'Părăsiți {name}?',
    leaveText: 'Pierdeți imediat accesul la această clinică. Numai un coleg vă poate invita din nou.',
  },
  palette: {
    title: 'Căutare',
    keys: 'Căutare (Ctrl K)',
    label: 'Nume, telefon sau pagină',
    hits: 'Rezultate',
    found: '{count, plural, =0 {Niciun rezultat} one {# rezultat} few {# rezultate} other {# de rezultate}}',
    nothing: 'Niciun rezultat pentru „{text}”.',
    newPatient: 'Pacient nou',
    kinds: {
      recent: 'Deschise ultima dată',
      patients: 'Pacienți',
      actions: 'Acțiuni',
      pages: 'Pagini',
      exercises: 'Exerciții',
    },
  },
  keys: {
    help: 'Afișați această listă',
    palette: 'Căutați pacienți și pagini',
    search: 'Căutați în listă',
    firstRow: 'Primul rând (din căutarea unei liste)',
    openFirst: 'Deschideți primul rând (din căutarea unei liste)',
    add: 'Pacient nou (în lista pacienților), vizită nouă (în calendar)',
    walk: 'Pacientul următor sau anterior',
    today: 'Mergeți la azi (în calendar)',
    turn: 'Mai devreme sau mai târziu (în calendar)',
    span: 'O zi sau o săptămână (în calendar)',
  },
}
