import type { Announcements, ScreenReaderInstructions, UniqueIdentifier } from '@dnd-kit/core'
import { useTranslations } from 'use-intl'
import type { DraftExercise } from './plan-draft.ts'

interface DragWords {
  announcements: Announcements
  screenReaderInstructions: ScreenReaderInstructions
}

/** Announcements of screen readers while an exercise is dragged, in the person's language. */
export function useDragWords(exercises: readonly DraftExercise[]): DragWords {
  const t = useTranslations('console.plans.exercise.dragging')
  const placeOf = (id: UniqueIdentifier) => exercises.findIndex(({ key }) => key === id)
  const nameOf = (id: UniqueIdentifier) => exercises[placeOf(id)]?.name ?? ''
  const at = (id: UniqueIdentifier, over: UniqueIdentifier) => ({
    name: nameOf(id),
    place: placeOf(over) + 1,
    total: exercises.length,
  })
  return {
    screenReaderInstructions: { draggable: t('help') },
    announcements: {
      onDragStart: ({ active }) => t('lifted', at(active.id, active.id)),
      onDragOver: ({ active, over }) => (over ? t('over', at(active.id, over.id)) : undefined),
      onDragEnd: ({ active, over }) => t('dropped', at(active.id, over?.id ?? active.id)),
      onDragCancel: ({ active }) => t('cancelled', { name: nameOf(active.id) }),
    },
  }
}
