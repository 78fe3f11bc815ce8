/** Why an exercise was not measured, and what the patient should do. As packages/pose says it. */
export const NOT_MEASURED: Record<string, string> = {
  no_session_start: 'The recording has no start. Start the session again.',
  no_configuration: 'The camera does not count this exercise.',
  invalid_configuration: 'The pose configuration of this exercise must be corrected by the clinic.',
  no_frames: 'Nobody was seen. Step into the picture.',
  low_visibility:
    'The joint was hidden or at the edge of the picture. Step back until the camera sees the whole arm or leg.',
  low_coverage: 'Most of the exercise was not in the picture. Stay in the picture until the end.',
  too_few_frames:
    'The camera sent too few pictures for this pace. Move more slowly, switch on more light, close other programs.',
  unsteady: 'The points jumped. Put the camera down, switch on more light, and let nobody else be in the picture.',
  unclear_movement: 'Repetitions could not be told apart. Begin at rest, move all the way, return to rest each time.',
  unreliable_depth: 'The movement was towards the camera. Turn your side to the camera.',
  other_side_moved: 'The other side moved. Exercise the side that the plan names.',
}
