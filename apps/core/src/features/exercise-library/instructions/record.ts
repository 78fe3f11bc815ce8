import { recorder } from '../../../platform/recorder.ts'
import { exerciseResource } from '../exercises/index.ts'

export const record = recorder({
  ...exerciseResource,
  acts: {
    added: { action: 'exercises.add_instruction', crud: 'U', event: 'exercise.instructions_changed' },
    reordered: { action: 'exercises.reorder_instructions', crud: 'U', event: 'exercise.instructions_changed' },
    updated: { action: 'exercises.update_instruction', crud: 'U', event: 'exercise.instructions_changed' },
    deleted: { action: 'exercises.delete_instruction', crud: 'U', event: 'exercise.instructions_changed' },
    imageUploaded: { action: 'exercises.upload_instruction_image', crud: 'U', event: 'exercise.instructions_changed' },
    imageDeleted: { action: 'exercises.delete_instruction_image', crud: 'U', event: 'exercise.instructions_changed' },
  },
})
