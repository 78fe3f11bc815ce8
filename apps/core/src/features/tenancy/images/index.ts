export { imageNotFound, imageTooLarge, invalidImageType } from './errors.ts'
export { findOnlyImage, listDocumentImages, type StoredImage } from './queries.ts'
export { receiveImage, removeImage } from './receiving.ts'
