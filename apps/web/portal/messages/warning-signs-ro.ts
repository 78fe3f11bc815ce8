import type { warningSignsEn } from './warning-signs-en.ts'

/** Pentru revizuire clinică: niciun diagnostic și nimic care să spună pacientului că este bine. */
export const warningSignsRo: typeof warningSignsEn = {
  question: 'Se întâmplă ceva dintre acestea?',
  hint: 'Alegeți tot ce se potrivește. Dacă nu se potrivește nimic, nu alegeți nimic.',
  signs: {
    chest_pain: 'Durere sau apăsare în piept',
    breathless: 'Respir greu',
    faint_or_dizzy: 'Senzație de leșin sau amețeală',
    sudden_weakness_or_numbness: 'Slăbiciune sau amorțeală apărută brusc',
    bladder_or_bowel: 'Pierderea controlului vezicii sau al intestinului',
    calf_swelling: 'Gambă umflată sau dureroasă',
    fall: 'Am căzut',
  },
  stop: 'Opriți exercițiile acum.',
  call: 'Sunați acum la {number} dacă este ceva nou, sever sau care nu trece ori dacă aveți îndoieli.',
  callEmergency: 'Sunați la {number}',
  callClinic: 'Sunați la clinică: {phone}',
  unwatched: 'Nimeni nu urmărește această ședință. Raportul dumneavoastră nu este un apel de urgență.',
}
