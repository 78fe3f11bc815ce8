export const en = {
  offer: {
    title: 'A time has become free',
    gone: 'This link does not work',
    goneText: 'Open the link in the e-mail again, or copy the whole link into the browser.',
    intro: 'You are on the waiting list. This time is kept for you while you decide.',
    until: 'Please answer by {time}.',
    accept: 'Book this time',
    decline: 'No, thank you',
    declineTitle: 'Decline this time?',
    declineText: 'The time is then free for others. You stay on the waiting list.',
    back: 'Back',
    call: 'Call {phone}',
    outcome: {
      accepted: 'You accepted this time',
      declined: 'You declined this time',
      expired: 'This time is no longer kept for you',
      ended: 'The clinic ended this offer',
      skipped: 'The clinic ended this offer',
    },
    outcomeText: {
      accepted: 'The confirmation comes by e-mail. If the appointment changes later, the newest e-mail counts.',
      declined: 'You stay on the waiting list.',
      expired: 'It is too late to answer this offer. You stay on the waiting list.',
      ended: 'Call the clinic if you have questions.',
      skipped: 'Call the clinic if you have questions.',
    },
  },
}
