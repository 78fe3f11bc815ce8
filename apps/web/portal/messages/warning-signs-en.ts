/** For clinical review: no diagnosis, and nothing that tells a patient that they are well. */
export const warningSignsEn = {
  question: 'Is any of this happening?',
  hint: 'Choose all that apply. Leave it empty if none does.',
  signs: {
    chest_pain: 'Pain or pressure in the chest',
    breathless: 'Hard to breathe',
    faint_or_dizzy: 'Faint or dizzy',
    sudden_weakness_or_numbness: 'Sudden weakness or numbness',
    bladder_or_bowel: 'Loss of control of bladder or bowel',
    calf_swelling: 'Swollen or painful calf',
    fall: 'I fell',
  },
  stop: 'Stop exercising now.',
  call: 'Call {number} now if this is new, severe or does not go away, or if you are not sure.',
  callEmergency: 'Call {number}',
  callClinic: 'Call your clinic: {phone}',
  unwatched: 'Nobody is watching this session. Your report is not an emergency call.',
}
