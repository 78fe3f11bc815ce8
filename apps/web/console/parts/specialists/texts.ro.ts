import type { en } from './texts.en.ts'

export const ro: typeof en = {
  specialist: {
    title: 'Adăugați un specialist',
    name: 'Nume',
    jobTitle: 'Titlu, de exemplu „fizioterapeut”',
    account: 'Cont',
    accountHelp: 'Cine intră în cont ca acest specialist. Se poate alege mai târziu.',
    noAccount: 'Încă niciunul',
    accountTaken: '{account} (este deja legat de {name})',
    link: 'Legați un cont',
    changeLink: 'Schimbați contul',
    linkTitle: 'Contul specialistului {name}',
    linkText: 'Contul cu care lucrează acest specialist.',
    linked: 'Legat',
    linkDone: 'Contul este legat.',
    unlink: 'Desfaceți legătura cu contul',
    unlinked: 'Contul nu mai este legat.',
    searchAccount: 'Căutați conturi după nume sau e-mail',
    accountsCut:
      'Sunt afișate doar {count, plural, one {# cont} few {# conturi} other {# de conturi}}. Căutați-le pe celelalte.',
    done: 'Specialistul a fost adăugat.',
    action: 'Adăugați',
  },
}
