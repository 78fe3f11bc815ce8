export const NEXT_JOB = 'waitlist_offers.offer_next'
export const SEND_JOB = 'waitlist_offers.send'
export const EXPIRE_JOB = 'waitlist_offers.expire'
