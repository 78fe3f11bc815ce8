import type { en } from './texts.en.ts'

export const ro: typeof en = {
  booking: {
    title: 'Programarea dumneavoastră',
    gone: 'Acest link nu funcționează',
    goneText: 'Deschideți din nou linkul din e-mailul de confirmare sau copiați linkul întreg în browser.',
    status: {
      waitlist: 'Pe lista de așteptare',
      pending: 'Așteaptă confirmarea clinicii',
      confirmed: 'Confirmată',
      checked_in: 'Ați ajuns',
      completed: 'Încheiată',
      no_show: 'Neonorată',
      cancelled: 'Anulată',
      entered_in_error: 'Ștearsă',
    },
    move: 'Mutați',
    moveTitle: 'Mutați programarea',
    moveNow: 'Mutați la această oră',
    moved: 'Programarea a fost mutată.',
    keep: 'Păstrați programarea actuală',
    present: 'Programarea actuală',
    cancel: 'Anulați programarea',
    keepVisit: 'Păstrați programarea',
    cancelTitle: 'Anulați această programare?',
    cancelText: 'Ora devine liberă pentru alții. Puteți face oricând o programare nouă.',
    cancelled: 'Programarea este anulată.',
    bookAgain: 'Faceți o programare nouă',
    until: 'O puteți muta sau anula online până la {time}.',
    untilEach:
      '{can, select, both {O puteți muta online până la {move} și anula până la {cancel}.} move {O puteți muta online până la {move}. Pentru anulare online este prea târziu.} other {O puteți anula online până la {cancel}. Pentru mutare online este prea târziu.}}',
    heldNotice:
      '{can, select, move {Dacă alegeți această oră, nu veți putea anula programarea online. O puteți muta până la {move}.} cancel {Dacă alegeți această oră, nu veți putea muta programarea online. O puteți anula până la {cancel}.} other {Programarea începe curând: nu o veți putea muta sau anula online. Dacă nu puteți veni, sunați la clinică.}}',
    cannotMove: 'Această programare nu mai poate fi mutată',
    stateNow: 'Starea ei este acum: {status}.',
    alreadyMoved: 'A fost deja mutată la altă oră.',
    toBooking: 'Vedeți programarea dumneavoastră',
    tooLate: 'Este prea târziu pentru a schimba programarea online. Sunați la clinică.',
    yours: 'Este programarea dumneavoastră?',
    yoursText: 'Intrați în cont ca să o vedeți în portal, alături de exerciții și formulare.',
    signIn: 'Intrați în cont',
  },
}
