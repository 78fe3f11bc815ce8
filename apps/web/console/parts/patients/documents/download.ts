import { api } from '#ui/api/client.ts'

/** Saves a document as a file. The file name contains no personal data. */
export async function downloadDocument(organization: string, id: string, name: string): Promise<void> {
  const blob = await api('GET /v1/appointment-documents/{id}/download', {
    params: { id },
    headers: { 'x-organization-id': organization },
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
