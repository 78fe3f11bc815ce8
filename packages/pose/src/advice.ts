// What the patient can do when an exercise was not measured. Codes are for clients, which translate them; the text is English.
import type { NotMeasured } from './metrics.ts'

export type AdviceCode =
  | 'none'
  | 'step_into_the_picture'
  | 'show_the_whole_limb'
  | 'stay_in_the_picture'
  | 'turn_your_side_to_the_camera'
  | 'more_light_or_slower'
  | 'camera_still_and_more_light'
  | 'begin_and_end_at_rest'
  | 'check_the_side'

export interface Advice {
  code: AdviceCode
  text: string
}

export const ADVICE: Record<NotMeasured, Advice> = {
  no_session_start: { code: 'none', text: 'The recording has no start. Start the session again.' },
  no_configuration: { code: 'none', text: 'This exercise is not counted by camera.' },
  invalid_configuration: {
    code: 'none',
    text: 'The pose configuration of this exercise must be corrected by the clinic.',
  },
  no_frames: { code: 'step_into_the_picture', text: 'Nobody was seen. Step into the picture.' },
  low_visibility: {
    code: 'show_the_whole_limb',
    text: 'The joint was hidden or at the edge of the picture. Step back until the camera sees the whole arm or leg.',
  },
  low_coverage: {
    code: 'stay_in_the_picture',
    text: 'Most of the exercise was not in the picture. Stay in the picture until the end.',
  },
  too_few_frames: {
    code: 'more_light_or_slower',
    text: 'The camera sent too few pictures for this pace. Move more slowly, switch on more light, close other programs.',
  },
  unsteady: {
    code: 'camera_still_and_more_light',
    text: 'The points jumped. Put the camera down, switch on more light, and let nobody else be in the picture.',
  },
  unclear_movement: {
    code: 'begin_and_end_at_rest',
    text: 'Repetitions could not be distinguished. Start at rest, move all the way, and return to rest each time.',
  },
  unreliable_depth: {
    code: 'turn_your_side_to_the_camera',
    text: 'The movement was towards the camera. Turn your side to the camera.',
  },
  other_side_moved: { code: 'check_the_side', text: 'The other side moved. Exercise the side that the plan names.' },
}
