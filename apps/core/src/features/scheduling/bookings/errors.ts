import { refusal } from '@tendon/http'

export const bookingNotFound = refusal(
  404,
  'booking_not_found',
  'There is no booking with this link. Check the link in your mail.',
)
export const myBookingNotFound = refusal(
  404,
  'booking_not_found',
  'There is no open booking with this id and your e-mail address. List your bookings to see them.',
)
export const bookingTooLate = refusal(403, 'too_late', 'It is too late to change this booking online. Call the clinic.')
export const bookingClosed = refusal(
  409,
  'invalid_transition',
  'This booking can no longer be changed online. It is {status}. Book a new one, or call the clinic.',
  { status: 'cancelled' },
)
export const noticeUnpublished = refusal(
  409,
  'privacy_notice_unpublished',
  'This clinic does not accept bookings yet, because it has not published its privacy notice.',
)
export const tooManyBookings = refusal(
  429,
  'too_many_bookings',
  'Too many appointments were booked from your network today. Call the clinic, or try again tomorrow.',
)
