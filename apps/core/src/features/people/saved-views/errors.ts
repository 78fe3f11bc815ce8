import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const notAMember = refusal(
  403,
  'not_a_member',
  'Only members of the clinic save views there. Choose a clinic that you work at.',
)
export const nameTwice = (index: number) =>
  fieldRefusal(`views.${index}.name`, 'must differ from the names of the other views')

export const savedViewConstraints: Constraints = {
  saved_views_membership_fkey: notAMember,
}
