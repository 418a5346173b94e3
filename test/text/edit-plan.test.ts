import { test } from 'vitest';
import { bytesOutsideStay, replacingAllGoesBack } from '../support/edit-properties.js';

test('every byte outside the replaced place stays, over encodings, marks and line ends', () => bytesOutsideStay(500));

test('replacing all and replacing back gives the same bytes', () => replacingAllGoesBack(300));
