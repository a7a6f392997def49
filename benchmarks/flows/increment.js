params => { params.count++; return params }
