/** Images of two pixels in each format that image models produce. */
export const sampleImages = {
  png: bytes(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVR4nGNgYAAAAAMAAbitOmMAAAAASUVORK5CYII=',
  ),
  jpeg: bytes(
    '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQAo//2Q==',
  ),
  webp: bytes('UklGRjIAAABXRUJQVlA4ICYAAABwAQCdASoCAAEADMDOJaACdAFAAAD+3FHSXS5Df6u/O36ntgAAAA=='),
} as const;

function bytes(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}
