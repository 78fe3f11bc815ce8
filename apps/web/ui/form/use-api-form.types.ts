import { useWrite } from '../api/hooks.ts'
import { useApiForm } from './use-api-form.ts'

// Compiled by the type check, never run: each line below `@ts-expect-error` is refused by the compiler.

/** What a form takes only as the request has it: names, and values of their kind. */
export function useTypesOfForms(isNew: boolean) {
  const create = useWrite('POST /v1/services')
  const change = useWrite('PATCH /v1/services/{id}')
  const form = useApiForm(create, {
    name: '',
    description: '',
    duration_minutes: 50,
    is_public: true,
    modes: ['in_person'],
    status: 'active',
  })
  form.text('name')
  form.number('duration_minutes')
  form.checked('is_public')
  form.choices('modes')
  form.select('status')
  form.set('status', 'archived')
  form.onSubmit((body) => {
    create.mutate({ body })
    // @ts-expect-error the form has no such field
    return body.color
  })

  // @ts-expect-error no field of the request
  form.text('nmae')
  // @ts-expect-error a field of the request, but not of this form
  form.text('color')
  // @ts-expect-error a number
  form.text('duration_minutes')
  // @ts-expect-error an enumeration
  form.text('status')
  // @ts-expect-error text
  form.number('name')
  // @ts-expect-error text
  form.checked('name')
  // @ts-expect-error no list
  form.choices('status')
  // @ts-expect-error elements without fields
  form.rows('modes')
  // @ts-expect-error no value of the enumeration
  form.set('status', 'closed')
  // @ts-expect-error not a number
  form.set('duration_minutes', true)

  // @ts-expect-error no field of the request
  useApiForm(create, { nmae: '' })
  // @ts-expect-error no value of the enumeration
  useApiForm(create, { status: 'closed' })
  // @ts-expect-error not a number
  useApiForm(create, { duration_minutes: 'fifty' })
  // @ts-expect-error no mode
  useApiForm(create, { modes: ['in_space'] })

  const either = useApiForm(isNew ? create : change, { name: '', modes: ['video'] })
  either.text('name')
  // @ts-expect-error no field of either request
  either.text('nmae')

  const booking = useApiForm(useWrite('POST /v1/public/bookings'), {
    booker: { name: '', email: '' },
    patient_note: '',
  })
  booking.text('booker.email')
  // @ts-expect-error the form does not ask for it
  booking.text('booker.phone')
  // @ts-expect-error no field of the request
  booking.text('booker.surname')

  const hours = useApiForm(useWrite('PUT /v1/calendars/{id}/weekly-hours'), {
    weekly_hours: [{ weekday: 1, start: '09:00', end: '17:00' }],
  })
  const rows = hours.rows('weekly_hours')
  rows.change(0, { start: '10:00' })
  // @ts-expect-error no field of a row
  rows.change(0, { begin: '10:00' })
  // @ts-expect-error a row without its day
  rows.add({ start: '10:00', end: '11:00' })
}
