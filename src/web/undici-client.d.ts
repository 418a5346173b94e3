declare module 'undici/lib/dispatcher/client.js' {
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other
  export { Client as default } from 'undici';
}
