import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError, PatientSummary } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#ui/api/client.ts'
import { csvOf, saveFile } from '#ui/data-list/csv.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconDownload } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const PAGE = 100

type Query = Record<string, string | number | undefined>

/** Downloads all patients of the current search and view as CSV. */
export function ExportPatients({ query }: { query: Query }) {
  const t = useTranslations('console.patients')
  const { id } = useClinic()
  const [done, setDone] = useState(0)
  const write = useMutation<void, ApiError>({
    mutationFn: async () => {
      const rows: PatientSummary[] = []
      for (let page = 1; ; page += 1) {
        const { items, total } = await api.list('GET /v1/patients', {
          query: { ...query, page, limit: PAGE },
          headers: { 'x-organization-id': id },
        })
        rows.push(...items)
        setDone(total === 0 ? 100 : Math.round((rows.length / total) * 100))
        if (items.length === 0 || rows.length >= total) break
      }
      const lines = rows.map((row) => [
        row.name,
        row.phone ?? '',
        row.email ?? '',
        row.birth_date ?? '',
        t(`statuses.${row.status}`),
      ])
      const header = [t('name'), t('phone'), t('email'), t('birthDate'), t('status')]
      saveFile('patients.csv', new Blob([csvOf([header, ...lines])], { type: 'text/csv' }))
    },
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} />}
        disabled={write.isPending}
        onClick={() => write.mutate()}
      >
        {write.isPending ? `${t('csv')} ${done} %` : t('csv')}
      </Button>
      <Problem error={write.error} />
    </>
  )
}
