import type { en } from './texts.en.ts'

export const ro: typeof en = {
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
}
