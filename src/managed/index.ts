export { type AesGcmBoxOptions, aesGcmBox, type SecretBox } from './aes-gcm-box.js';
