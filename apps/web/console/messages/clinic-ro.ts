import type { clinicEn } from './clinic-en.ts'

export const clinicRo: typeof clinicEn = {
  notice: {
    title: 'Nota de informare',
    help: 'Pacienții citesc și acceptă acest text când intră prima dată. Completați ce ține de clinica dumneavoastră; restul vine de la platformă.',
    published: 'Publicată ca versiunea {version}.',
    unpublished: 'Încă nepublicată.',
    sections: 'Părți care se aplică clinicii dumneavoastră',
    preview: 'Previzualizare',
    publish: 'Salvați și publicați…',
    done: 'Nota de informare este publicată.',
    missing: 'Completați înainte de publicare. O liniuță sau câteva puncte nu sunt suficiente.',
    confirm: {
      title: 'Publicați acest text?',
      first:
        'Textul devine versiunea 1. După aceea clinica poate adăuga pacienți, iar fiecare trebuie să îl accepte când intră prima dată în portal.',
      again: 'Textul înlocuiește versiunea {version}, iar pacienții trebuie să îl accepte ca să poată continua.',
      asked:
        '{count, plural, =0 {Niciun pacient nu are cont deocamdată.} one {# pacient are cont și va fi rugat să îl accepte când intră din nou în portal.} few {# pacienți au cont și vor fi rugați să îl accepte când intră din nou în portal.} other {# de pacienți au cont și vor fi rugați să îl accepte când intră din nou în portal.}}',
      same: 'Textul este același ca în versiunea {version}. Pacienții ar trebui să îl accepte din nou, deși nu s-a schimbat nimic.',
      text: '{language, select, ro {Textul în română} other {Textul în engleză}}',
      action: 'Publicați',
    },
  },
  colleague: {
    title: 'Invitați un coleg',
    email: 'E-mail',
    name: 'Nume',
    role: 'Rol',
    roleHelp: 'Rolul hotărăște ce poate vedea și face această persoană.',
    roles: { admin: 'Administrator', specialist: 'Specialist', customer_support: 'Recepție' },
    done: 'Invitația a fost trimisă.',
    action: 'Invitați',
  },
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
