module linkglot

go 1.18
